// Command custom-gcl is golangci-lint with idemlint linked in: what golangci-lint
// custom builds from .custom-gcl.example.yml, for the tests beside it.
package main

import (
	"fmt"
	"os"

	"github.com/golangci/golangci-lint/v2/pkg/commands"
	"github.com/golangci/golangci-lint/v2/pkg/exitcodes"

	_ "github.com/idemlint/idemlint/plugin"
)

func main() {
	// Of a "(devel)" version golangci-lint keys its cache by this binary's hash.
	info := commands.BuildInfo{Version: "(devel)", GoVersion: "unknown", Commit: "?", Date: "?"}
	if err := commands.Execute(info); err != nil {
		fmt.Fprintf(os.Stderr, "The command is terminated due to an error: %v\n", err)
		os.Exit(exitcodes.Failure)
	}
}
