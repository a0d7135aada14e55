package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// found is a finding as -json prints it.
type found struct {
	Category string `json:"category"` // the rule's id
	Posn     string `json:"posn"`
	End      string `json:"end"`
	Message  string `json:"message"`
	Related  []struct {
		Posn    string `json:"posn"`
		Message string `json:"message"`
	} `json:"related"`
	Fixes []struct {
		Message string `json:"message"`
		Edits   []struct {
			Filename string `json:"filename"`
			Start    int    `json:"start"`
			End      int    `json:"end"`
			New      string `json:"new"`
		} `json:"edits"`
	} `json:"suggested_fixes"`

	at       place
	Package  string `json:"-"`
	Rule     string `json:"-"` // the rule's name
	Function string `json:"-"` // the enclosing declaration, "" outside of one
}

// place is a position: a file, relative to the working directory where it is below
// it, a line and a column from 1.
type place struct {
	file      string
	line, col int
}

func parsePosn(posn string) place {
	p := place{file: posn}
	for _, n := range []*int{&p.col, &p.line} {
		i := strings.LastIndexByte(p.file, ':')
		if i < 0 {
			break
		}
		v, err := strconv.Atoi(p.file[i+1:])
		if err != nil {
			break
		}
		*n, p.file = v, p.file[:i]
	}
	if p.line == 0 {
		p.line, p.col = p.col, 0
	}
	p.file = relative(p.file)
	return p
}

func relative(file string) string {
	wd, err := os.Getwd()
	if err != nil {
		return filepath.ToSlash(file)
	}
	if r, err := filepath.Rel(wd, file); err == nil && !strings.HasPrefix(r, "..") {
		return filepath.ToSlash(r)
	}
	return filepath.ToSlash(file)
}

// collect runs the analysis in processes of their own, in a directory, and returns the
// findings in the order of their places. failed says that something could not be
// analysed; it has been printed.
func collect(dir string, args []string, errs io.Writer) (all []*found, failed bool, err error) {
	list, failed, err := analyse(dir, args, errs)
	if err != nil {
		return nil, false, err
	}
	for _, tree := range list {
		for pkg, rules := range tree {
			add(&all, &failed, pkg, rules, errs)
		}
	}
	slices.SortFunc(all, func(a, b *found) int {
		p, q := a.at, b.at
		return cmp.Or(strings.Compare(p.file, q.file), p.line-q.line, p.col-q.col, strings.Compare(a.Rule, b.Rule))
	})
	name(all)
	return all, failed, nil
}

// analyse returns what the analyzers say: from go vet where it can, else from
// multichecker.
func analyse(dir string, args []string, errs io.Writer) (list []tree, failed bool, err error) {
	defer showProgress(os.Stderr)()
	if flags, patterns, ok := vettable(args); ok {
		if list, failed, ok, err := vetTrees(dir, flags, patterns, errs); ok || err != nil {
			return list, failed, err
		}
	}
	self, err := os.Executable()
	if err != nil {
		return nil, false, err
	}
	cmd := exec.Command(self, append([]string{"-json"}, args...)...)
	cmd.Dir, cmd.Stderr = dir, errs
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		failed, err = true, nil
	}
	if err != nil {
		return nil, false, err
	}
	list, err = trees(out)
	return list, failed, err
}

// add adds what the rules say of a package.
func add(all *[]*found, failed *bool, pkg string, rules map[string]json.RawMessage, errs io.Writer) {
	for rule, raw := range rules {
		var list []*found
		if json.Unmarshal(raw, &list) == nil {
			for _, f := range list {
				f.Package, _, _ = strings.Cut(pkg, " ")
				f.Rule, f.at = rule, parsePosn(f.Posn)
				*all = append(*all, f)
			}
			continue
		}
		var problem struct {
			Err string `json:"error"`
		}
		if json.Unmarshal(raw, &problem) == nil && problem.Err != "" {
			fmt.Fprintf(errs, "idemlint: %s: %s: %s\n", pkg, rule, problem.Err)
			*failed = true
		}
	}
}

// name finds the declarations around the findings.
func name(all []*found) {
	fset := token.NewFileSet()
	files := make(map[string]*ast.File)
	for _, f := range all {
		p := f.at
		file, seen := files[p.file]
		if !seen {
			file, _ = parser.ParseFile(fset, p.file, nil, parser.SkipObjectResolution)
			files[p.file] = file
		}
		if file == nil {
			continue
		}
		for _, d := range file.Decls {
			if fset.Position(d.Pos()).Line > p.line || fset.Position(d.End()).Line < p.line {
				continue
			}
			switch d := d.(type) {
			case *ast.FuncDecl:
				f.Function = d.Name.Name
				if d.Recv != nil && len(d.Recv.List) > 0 {
					f.Function = receiver(d.Recv.List[0].Type) + "." + f.Function
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if fset.Position(s.Pos()).Line <= p.line && p.line <= fset.Position(s.End()).Line {
						f.Function = declared(s)
					}
				}
			}
		}
	}
}

func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

func declared(s ast.Spec) string {
	switch s := s.(type) {
	case *ast.TypeSpec:
		return s.Name.Name
	case *ast.ValueSpec:
		if len(s.Names) > 0 {
			return s.Names[0].Name
		}
	}
	return ""
}

// text returns the message without the link to the rule's page, which stands beside it.
func (f *found) text() string {
	text, _, _ := strings.Cut(f.Message, " (see http")
	return text
}
