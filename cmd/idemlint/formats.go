package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"unicode/utf8"

	"github.com/idemlint/idemlint/analyzers/directives"
	"github.com/idemlint/idemlint/docs/rules"
)

// formats are the ways to print findings, by the value of -format.
var formats = map[string]func(out io.Writer, all []*found) error{
	"text":   printText,
	"json":   printJSON,
	"sarif":  printSARIF,
	"github": printGitHub,
}

func printText(out io.Writer, all []*found) error {
	for _, f := range all {
		p := f.at
		if _, err := fmt.Fprintf(out, "%s:%d:%d: %s\n", p.file, p.line, p.col, f.Message); err != nil {
			return err
		}
		for _, r := range f.Related {
			p := parsePosn(r.Posn)
			if _, err := fmt.Fprintf(out, "%s:%d:%d: \t%s\n", p.file, p.line, p.col, r.Message); err != nil {
				return err
			}
		}
	}
	return nil
}

// printJSON prints one object a finding, in a list.
func printJSON(out io.Writer, all []*found) error {
	type entry struct {
		Rule     string `json:"rule"`
		ID       string `json:"id"`
		File     string `json:"file"`
		Line     int    `json:"line"`
		Column   int    `json:"column"`
		Package  string `json:"package"`
		Function string `json:"function,omitempty"`
		Message  string `json:"message"`
		Help     string `json:"help"`
		Fixable  bool   `json:"fixable"`
	}
	list := make([]entry, len(all))
	for i, f := range all {
		p := f.at
		list[i] = entry{f.Rule, f.Category, p.file, p.line, p.col, f.Package, f.Function, f.text(), helpURL(f.Rule), len(f.Fixes) > 0}
	}
	enc := json.NewEncoder(out)
	enc.SetIndent("", "  ")
	return enc.Encode(list)
}

func helpURL(rule string) string {
	for _, r := range directives.Rules {
		if r.Name == rule {
			return r.URL()
		}
	}
	return directives.Analyzer.URL
}

// printGitHub prints workflow commands, which GitHub shows as annotations. The
// escapes are those of the runner's toolkit.
func printGitHub(out io.Writer, all []*found) error {
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	for _, f := range all {
		p := f.at
		_, err := fmt.Fprintf(out, "::error file=%s,line=%d,col=%d,title=%s::%s\n",
			property.Replace(p.file), p.line, p.col, property.Replace(f.Category+" "+f.Rule), data.Replace(f.Message))
		if err != nil {
			return err
		}
	}
	return nil
}

type m = map[string]any

// printSARIF prints a log of SARIF 2.1.0 (OASIS, 2020).
func printSARIF(out io.Writer, all []*found) error {
	var descriptors []m
	index := make(map[string]int)
	add := func(name, page, id, doc, url string) {
		index[name] = len(descriptors)
		title, body, _ := strings.Cut(doc, "\n")
		markdown, err := rules.Pages.ReadFile(page + ".md")
		if err != nil {
			markdown = []byte(body)
		}
		descriptors = append(descriptors, m{
			"id": id + "/" + name, "name": name, "helpUri": url,
			"shortDescription": m{"text": title}, "fullDescription": m{"text": strings.TrimSpace(body)},
			"help":                 m{"text": strings.TrimSpace(body), "markdown": string(markdown)},
			"defaultConfiguration": m{"level": "error"},
			"properties":           m{"id": id},
		})
	}
	for _, r := range directives.Rules {
		add(r.Name, r.Name, r.ID, r.Analyzer.Doc, r.URL())
	}
	add(directives.Name, "suppression", "idemlint", directives.Doc, directives.Analyzer.URL)

	results := make([]m, 0, len(all))
	for _, f := range all {
		i, known := index[f.Rule]
		if !known {
			i = index[directives.Name]
		}
		result := m{
			"ruleId": descriptors[i]["id"], "ruleIndex": i, "level": "error",
			"message":             m{"text": f.text()},
			"locations":           []m{location(f.Posn, f.End, f.Function, "")},
			"partialFingerprints": m{"idemlint/v1": f.fingerprint()},
		}
		var related []m
		for _, r := range f.Related {
			related = append(related, location(r.Posn, "", "", r.Message))
		}
		if related != nil {
			result["relatedLocations"] = related
		}
		var fixes []m
		for _, fix := range f.Fixes {
			var changes []m
			for _, e := range fix.Edits {
				changes = append(changes, m{
					"artifactLocation": artifact(relative(e.Filename)),
					"replacements": []m{{
						"deletedRegion":   m{"byteOffset": e.Start, "byteLength": e.End - e.Start},
						"insertedContent": m{"text": e.New},
					}},
				})
			}
			if changes != nil {
				fixes = append(fixes, m{"description": m{"text": fix.Message}, "artifactChanges": changes})
			}
		}
		if fixes != nil {
			result["fixes"] = fixes
		}
		results = append(results, result)
	}
	driver := m{"name": "idemlint", "informationUri": "https://github.com/idemlint/idemlint", "rules": descriptors}
	if info, ok := debug.ReadBuildInfo(); ok && strings.HasPrefix(info.Main.Version, "v") {
		driver["semanticVersion"] = strings.TrimPrefix(info.Main.Version, "v")
	}
	run := m{"tool": m{"driver": driver}, "results": results, "columnKind": "unicodeCodePoints"}
	if wd, err := os.Getwd(); err == nil {
		run["originalUriBaseIds"] = m{"ROOT": m{"uri": "file://" + strings.TrimSuffix(wd, "/") + "/"}}
	}
	enc := json.NewEncoder(out)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(m{
		"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": []m{run},
	})
}

func artifact(file string) m {
	if strings.HasPrefix(file, "/") {
		return m{"uri": "file://" + file}
	}
	return m{"uri": file, "uriBaseId": "ROOT"}
}

func location(posn, end, function, message string) m {
	p := parsePosn(posn)
	region := m{"startLine": max(p.line, 1)}
	if p.col > 0 {
		region["startColumn"] = p.column()
	}
	if q := parsePosn(end); end != "" && (q.line > p.line || q.line == p.line && q.col > p.col) {
		region["endLine"], region["endColumn"] = q.line, q.column()
	}
	out := m{"physicalLocation": m{"artifactLocation": artifact(p.file), "region": region}}
	if function != "" {
		out["logicalLocations"] = []m{{"name": function}}
	}
	if message != "" {
		out["message"] = m{"text": message}
	}
	return out
}

// column returns the place's column in characters: Go counts bytes.
func (p place) column() int {
	data, err := os.ReadFile(filepath.FromSlash(p.file))
	if err != nil {
		return p.col
	}
	n := 1
	for line := range strings.Lines(string(data)) {
		if n++; n > p.line {
			return utf8.RuneCountInString(line[:min(p.col-1, len(line))]) + 1
		}
	}
	return p.col
}
