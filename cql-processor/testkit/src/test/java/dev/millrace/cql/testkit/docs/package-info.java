/**
 * Tests that run what the documents show: statements with their rows, and commands with what they print.
 *
 * <pre>
 *   docs/**.md ──► Fence ──► RowExample ──► engine, engine with flows only, reference interpreter
 *                       └──► Console    ──► millrace cql
 * </pre>
 */
package dev.millrace.cql.testkit.docs;
