/**
 * The JSON functions: values in JSON strings, found by paths.
 *
 * <pre>
 *   JsonFunctions ──path──► JsonPath ──steps──► JsonScanner: positions in the text
 * </pre>
 *
 * <p>Callers: generated code. Threads: every class is stateless. No object is created except the string that a function
 * returns.
 */
package dev.millrace.cql.functions.json;
