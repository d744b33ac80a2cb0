package main

import (
	"archive/tar"
	"archive/zip"
	"cmp"
	"compress/gzip"
	"io"
	"io/fs"
	"slices"
	"time"
)

// file is one of an archive.
type file struct {
	name string // with slashes
	data []byte
	mode int64
}

// inOrder are the files by name.
func inOrder(files []file) []file {
	return slices.SortedFunc(slices.Values(files), func(a, b file) int { return cmp.Compare(a.name, b.name) })
}

// tarred writes files in a folder as .tar.gz, with one date and no owner.
func tarred(w io.Writer, folder string, files []file, at time.Time) error {
	zw, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	tw := tar.NewWriter(zw)
	for _, f := range inOrder(files) {
		head := &tar.Header{
			Typeflag: tar.TypeReg, Name: folder + "/" + f.name, Mode: f.mode, Size: int64(len(f.data)),
			ModTime: at, Format: tar.FormatUSTAR,
		}
		if err := tw.WriteHeader(head); err != nil {
			return err
		}
		if _, err := tw.Write(f.data); err != nil {
			return err
		}
	}
	if err := tw.Close(); err != nil {
		return err
	}
	return zw.Close()
}

// zipped writes the same as .zip.
func zipped(w io.Writer, folder string, files []file, at time.Time) error {
	zw := zip.NewWriter(w)
	for _, f := range inOrder(files) {
		head := &zip.FileHeader{Name: folder + "/" + f.name, Method: zip.Deflate, Modified: at}
		head.SetMode(fs.FileMode(f.mode))
		fw, err := zw.CreateHeader(head)
		if err != nil {
			return err
		}
		if _, err := fw.Write(f.data); err != nil {
			return err
		}
	}
	return zw.Close()
}
