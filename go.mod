module bobproxy

go 1.26
