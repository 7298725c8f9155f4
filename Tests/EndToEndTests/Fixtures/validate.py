"""Checks each line of a file against a JSON Schema: validate.py SCHEMA FILE. Prints what is wrong and fails, or prints how many lines there are."""
import json
import sys

import jsonschema

schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)


def constant(word):
    raise ValueError(f"{word} is no JSON")


count, wrong = 0, 0
for count, line in enumerate(open(sys.argv[2], encoding="utf-8", newline="\n"), 1):
    error = jsonschema.exceptions.best_match(validator.iter_errors(json.loads(line, parse_constant=constant)))
    if error:
        wrong += 1
        print(f"line {count}: {error.json_path}: {error.message[:300]}")
if not wrong:
    print(count)
sys.exit(wrong != 0)
