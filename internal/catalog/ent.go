package catalog

import "strings"

// ent generates its client: the types are the project's own, so they are known
// by the form of their names. For a schema Order the package ent has OrderClient,
// OrderCreate, OrderUpsertOne, OrderQuery, OrderUpdate, OrderUpdateOne and
// OrderDelete.

// entRow returns the row of a method of ent's generated code, or nil.
func entRow(typ, method string) *Row {
	pkg, name, ok := strings.Cut(typ[strings.LastIndexByte(typ, '/')+1:], ".")
	if !ok || pkg != "ent" {
		return nil
	}
	row := Row{Name: "(*" + typ + ")." + method}
	model := ""
	cut := func(suffix string) bool {
		m, ok := strings.CutSuffix(name, suffix)
		if ok && m != "" {
			model = m
		}
		return ok && m != ""
	}
	switch {
	case name == "Client" && (method == "Tx" || method == "BeginTx"):
		row.Verb, row.Handle = Begin, Recv
	case name == "Tx" && method == "Commit":
		row.Verb, row.Handle = Commit, Recv
	case name == "Tx" && method == "Rollback":
		row.Verb, row.Handle = Rollback, Recv
	case name == "Tx" && method == "Client":
		row.Verb, row.Handle = Rebind, Recv
	case cut("Client"):
		row.Verb, row.Handle, row.Const = Build, Recv, model
		switch {
		case strings.HasPrefix(method, "Create") || method == "MapCreateBulk":
			row.Part = PartInsert
		case strings.HasPrefix(method, "Update"):
			row.Part = PartUpdate
		case strings.HasPrefix(method, "Delete"):
			row.Part = PartDelete
		case method == "Query":
			row.Part = PartSelect
		default:
			return nil
		}
	case cut("CreateBulk"), cut("Create"):
		entWrite(&row, method)
		if strings.HasPrefix(method, "OnConflict") {
			row.Verb, row.Part = Build, PartConflict
		}
	case cut("UpsertOne"), cut("UpsertBulk"):
		entWrite(&row, method)
		if row.Verb == Run && strings.HasSuffix(name, "UpsertOne") {
			row.Const = "no rows" // its error when DO NOTHING found the row
		}
		switch method {
		case "DoNothing":
			row.Verb, row.Part = Build, PartNothing
		case "UpdateNewValues", "Update", "Ignore": // Ignore sets each column to itself
			row.Verb, row.Part = Build, PartDoUpdate
		case "ID", "IDX":
			row.Verb = Run
		}
	case cut("UpdateOne"), cut("Update"):
		entWrite(&row, method)
		if method == "Where" {
			row.Part, row.Vals = PartWhere, None
		} else if strings.HasPrefix(method, "Add") {
			row.Kind = "relative"
		}
	case cut("DeleteOne"), cut("Delete"):
		entWrite(&row, method)
		if method == "Where" {
			row.Part, row.Vals = PartWhere, None
		}
	case cut("Query"):
		row.Verb = Build
		switch method {
		case "Where":
			row.Part = PartWhere
		case "ForUpdate", "ForShare":
			row.Part = PartLock
		case "Exist", "ExistX", "Count", "CountX":
			row.Verb, row.Kind = Run, "one row"
		case "First", "Only", "FirstX", "OnlyX", "FirstID", "OnlyID":
			row.Verb, row.Const = Run, "must find"
		case "All", "AllX", "IDs":
			row.Verb = Run
		}
	default:
		return nil
	}
	return &row
}

// entHandle says what a type of ent's generated code is: the client, its parts
// and the transaction all run on one.
func entHandle(typ string) HandleKind {
	i := strings.LastIndex(typ, "/ent.")
	switch {
	case i < 0:
		return NotHandle
	case typ[i+len("/ent."):] == "Tx":
		return Tx
	case strings.HasSuffix(typ, "Client"):
		return Either
	}
	return NotHandle
}

// entWrite fills in the row of a builder's setter or finisher.
func entWrite(row *Row, method string) {
	switch method {
	case "Exec", "Save", "ExecX", "SaveX":
		row.Verb = Run
	default:
		row.Verb, row.Part, row.Vals = Build, PartValues, A0
	}
}
