/**
 * Fuzz targets: all code that reads bytes from strangers, or files that users may get wrong. A target feeds its input
 * to a reader of the product and returns when the reader accepts it or refuses it in its documented way; any other
 * exception is a finding. A target may also compare two ways that must agree.
 *
 * <p>Callers: a coverage-guided fuzzer (build/fuzz.sh), and TargetTest, which feeds damaged seeds in each build.
 * Not thread-safe.
 */
package dev.millrace.fuzz;
