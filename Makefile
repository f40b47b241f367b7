.PHONY: demo test lint fuzz format

demo: ; Scripts/demo
test: ; Scripts/test
lint: ; Scripts/lint
fuzz: ; Scripts/fuzz all 60
format: ; Scripts/format
