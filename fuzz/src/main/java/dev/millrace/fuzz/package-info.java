/**
 * Fuzz targets for all code that reads bytes from untrusted peers, or files that users may write incorrectly. A target
 * passes its input to a reader of the product and returns when the reader accepts it or refuses it in the documented
 * way; any other exception is a finding. A target may also compare two paths that must produce equal results.
 *
 * <p>Callers: a coverage-guided fuzzer (build/fuzz.sh), and TargetTest, which passes damaged seeds in each build. Not
 * thread-safe.
 */
package dev.millrace.fuzz;
