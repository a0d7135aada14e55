package sqltext

import (
	"slices"
	"strings"

	sqllexer "github.com/DataDog/go-sqllexer"
)

// Words, literals and operators of SQL text, and the way about in them.

type token struct {
	text string // lower case, unquoted
	kind sqllexer.TokenType
	at   int // where it begins, in bytes
}

func scan(text string) []token {
	lex := sqllexer.New(text)
	var out []token
	at, next := 0, 0
	for {
		t := lex.Scan()
		at, next = next, next+len(t.Value)
		switch t.Type {
		case sqllexer.EOF, sqllexer.ERROR:
			return out
		case sqllexer.SPACE, sqllexer.COMMENT, sqllexer.MULTILINE_COMMENT:
			continue
		}
		v := strings.ToLower(t.Value)
		if t.Type != sqllexer.STRING {
			v = strings.NewReplacer(`"`, "", "`", "", "[", "", "]", "").Replace(v)
			v = strings.TrimSpace(v)
		}
		if v == "" {
			continue
		}
		if t.Type == sqllexer.OPERATOR && len(v) > 1 {
			for _, part := range operators(v) {
				out = append(out, token{part, t.Type, at})
			}
			continue
		}
		if n := len(out); n > 0 {
			// `schema`.`table` and :name come as several tokens.
			last := &out[n-1]
			if last.text == ":" || v == "." && word(out, n-1) != ")" || strings.HasSuffix(last.text, ".") && len(last.text) > 1 {
				last.text += v
				continue
			}
		}
		out = append(out, token{v, t.Type, at})
	}
}

// operators takes apart what the lexer reads as one operator when there is no
// space around a bind parameter: id=:id, n<>?, ?::uuid.
func operators(v string) []string {
	var out []string
	for v != "" {
		n := strings.IndexAny(v, "?:")
		switch {
		case strings.HasPrefix(v, "::"), strings.HasPrefix(v, ":="):
			n = 2
		case n == 0:
			n = 1
		case n < 0:
			n = len(v)
		}
		if part := v[:n]; n > 1 && strings.ContainsAny(part[:1], "=<>") && strings.ContainsAny(part[n-1:], "+-") {
			out = append(out, part[:n-1], part[n-1:]) // id=-1
		} else {
			out = append(out, part)
		}
		v = v[n:]
	}
	return out
}

// top returns the index of the first of the words at or after i outside
// parentheses, or len(toks).
func top(toks []token, i int, words ...string) int {
	depth := 0
	for ; i < len(toks); i++ {
		switch toks[i].text {
		case "(":
			depth++
			continue
		case ")":
			depth--
			continue
		}
		if depth == 0 && slices.Contains(words, toks[i].text) {
			return i
		}
	}
	return len(toks)
}

// closing returns the index of the parenthesis that closes the one at i.
func closing(toks []token, i int) int {
	depth := 0
	for ; i < len(toks); i++ {
		switch toks[i].text {
		case "(":
			depth++
		case ")":
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(toks)
}

func word(toks []token, i int) string {
	if i < 0 || i >= len(toks) {
		return ""
	}
	return toks[i].text
}

// mentions reports whether a statement reads a part of its WITH clause: FROM ins,
// EXISTS (SELECT 1 FROM ins). Another thing of that name is none.
func mentions(toks []token, name string) bool {
	for i := range toks {
		if toks[i].text != name {
			continue
		}
		switch word(toks, i-1) {
		case "from", "join", "using", "table", "only", ",":
			return true
		}
	}
	return false
}

// skip returns the index of the first token at or after i that is none of the words.
func skip(toks []token, i int, words ...string) int {
	for i < len(toks) && slices.Contains(words, toks[i].text) {
		i++
	}
	return i
}

func joined(toks []token) string {
	var b strings.Builder
	for _, t := range toks {
		b.WriteString(t.text)
		b.WriteByte(' ')
	}
	return b.String()
}
