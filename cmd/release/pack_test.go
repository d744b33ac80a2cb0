package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"slices"
	"testing"
	"time"
)

var (
	some = []file{{"README.md", []byte("read me"), 0o644}, {"bobproxy", []byte("\x7fELF"), 0o755}, {"LICENSE", []byte("free"), 0o644}}
	noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	want = []string{"b/LICENSE free -rw-r--r--", "b/README.md read me -rw-r--r--", "b/bobproxy \x7fELF -rwxr-xr-x"}
)

func TestTarred(t *testing.T) {
	var first, second bytes.Buffer
	if err := tarred(&first, "b", some, noon); err != nil {
		t.Fatal(err)
	}
	turned := slices.Clone(some)
	slices.Reverse(turned)
	if err := tarred(&second, "b", turned, noon); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Errorf("the same files in another order make another archive (%v)", err)
	}
	unpacked, err := gzip.NewReader(&first)
	if err != nil {
		t.Fatal(err)
	}
	if !unpacked.ModTime.IsZero() || unpacked.Name != "" {
		t.Errorf("gzip tells of %v %q", unpacked.ModTime, unpacked.Name)
	}
	var got []string
	for in := tar.NewReader(unpacked); ; {
		head, err := in.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, head.Name+" "+string(data)+" "+head.FileInfo().Mode().String())
		if !head.ModTime.Equal(noon) || head.Uid != 0 || head.Uname != "" {
			t.Errorf("%s is of %v and %d %q", head.Name, head.ModTime, head.Uid, head.Uname)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestZipped(t *testing.T) {
	var packed bytes.Buffer
	if err := zipped(&packed, "b", some, noon); err != nil {
		t.Fatal(err)
	}
	in, err := zip.NewReader(bytes.NewReader(packed.Bytes()), int64(packed.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range in.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, f.Name+" "+string(data)+" "+f.Mode().String())
		if !f.Modified.Equal(noon) {
			t.Errorf("%s is of %v", f.Name, f.Modified)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestDate(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1772452800")
	if at, err := date(); err != nil || !at.Equal(noon) {
		t.Errorf("got %v, %v, want %v", at, err, noon)
	}
	t.Setenv("SOURCE_DATE_EPOCH", "soon")
	if at, err := date(); err == nil {
		t.Errorf("soon is %v", at)
	}
}
