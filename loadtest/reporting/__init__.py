"""Results of load tests, read from their output and rendered as one page.

Parts, in reading order: `figures` (numbers as wrk2 writes them), `measured` (what was measured, and the knee),
`console` and `inputs` (where it is read from), `buckets` (what the nodes counted meanwhile), `comparison`, `page` and
what it is made of: `page.css`, `charts.js`, `page.js`. Only the standard library.
"""
