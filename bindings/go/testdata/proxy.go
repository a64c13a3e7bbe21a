// go run proxy.go ROOT MODULE VERSION PROXY: publishes the module that lies in the folder ROOT in the folder PROXY, for
// GOPROXY=file://PROXY. As ever a folder with a go.mod of its own is left out, and what is built here, which no repository holds.
package main

import (
	"archive/zip"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"
)

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func exists(elements ...string) bool {
	_, err := os.Stat(filepath.Join(elements...))
	return err == nil
}

func main() {
	root, module, version := os.Args[1], os.Args[2], os.Args[3]
	folder := filepath.Join(os.Args[4], module, "@v")
	check(os.MkdirAll(folder, 0o755))
	description, err := os.ReadFile(filepath.Join(root, "go.mod"))
	check(err)
	for name, text := range map[string]string{"list": version, version + ".info": fmt.Sprintf("{%q:%q}", "Version", version), version + ".mod": string(description)} {
		check(os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644))
	}
	file, err := os.Create(filepath.Join(folder, version+".zip"))
	check(err)
	archive := zip.NewWriter(file)
	bytes := 0
	check(filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != root && (entry.Name() == ".git" || exists(path, "go.mod") || exists(path, "CMakeCache.txt")):
			return filepath.SkipDir
		case !entry.Type().IsRegular():
			return nil
		}
		name, err := filepath.Rel(root, path)
		check(err)
		content, err := os.ReadFile(path)
		check(err)
		bytes += len(content)
		writer, err := archive.Create(module + "@" + version + "/" + filepath.ToSlash(name))
		check(err)
		_, err = writer.Write(content)
		return err
	}))
	check(archive.Close())
	check(file.Close())
	if bytes > 1_500_000 {
		log.Fatalf("the module has %d bytes: what else is in it?", bytes)
	}
}
