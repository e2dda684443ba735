"""Prints the rows of a benchmark's JSON as a short table: milliseconds, median and minimum."""
import json
import sys

report = json.load(open(sys.argv[1]))
print(json.dumps(report["machine"].get("gpu", {})), report["machine"].get("commit"))
for row in report["rows"]:
    fraction = row["fraction_of_limit"]
    print(f'{row["case"]:12}{row["op"]:22} {row["stencil"]:20} {row["mode"]:11}'
          f'{row["seconds_median"] * 1e3:9.4f} {row["seconds_min"] * 1e3:9.4f} ms'
          + (f"  {fraction:5.2f} of copy" if fraction else "")
          + (f'  {row["particles_per_second"] / 1e3:9.1f} k samples/s'
             if row["case"] == "projections" and row["particles_per_second"] else ""))
