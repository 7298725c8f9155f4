"""Checks files of YAML against a JSON Schema: validate_yaml.py SCHEMA FILE…. Prints a line for each, `valid` or what is wrong."""
import json
import re
import sys

import jsonschema
import yaml


class Loader(yaml.SafeLoader):
    """The types of the core schema of YAML 1.2, as editors and the agent have them: `on` is a word, and 1:30 too."""

    yaml_implicit_resolvers = {}


Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(?:true|false)$"), list("tf"))
Loader.add_implicit_resolver("tag:yaml.org,2002:null", re.compile("^(?:null|~|)$"), ["n", "~", ""])
Loader.add_implicit_resolver(
    "tag:yaml.org,2002:int", re.compile("^[-+]?[0-9]+$"), list("-+0123456789"))
Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"^[-+]?[0-9]*\.[0-9]+$"), list("-+0123456789."))

schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
for name in sys.argv[2:]:
    error = jsonschema.exceptions.best_match(validator.iter_errors(yaml.load(open(name, encoding="utf-8"), Loader)))
    print(f"{error.json_path}: {error.message[:300]}" if error else "valid")
