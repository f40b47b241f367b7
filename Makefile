.PHONY: demo test lint fuzz perf format

demo: ; Scripts/demo
test: ; Scripts/test
lint: ; Scripts/lint
fuzz: ; Scripts/fuzz all 60
perf: ; Scripts/perf
format: ; Scripts/format
