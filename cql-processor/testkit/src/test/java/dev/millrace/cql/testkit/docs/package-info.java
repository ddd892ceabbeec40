/**
 * Tests that run the examples of the documents: statements with their rows, and commands with their output.
 *
 * <pre>
 *   docs/**.md ──► Fence ──► RowExample ──► engine, engine with flows only, reference interpreter
 *                       └──► Console    ──► millrace cql
 * </pre>
 */
package dev.millrace.cql.testkit.docs;
