/**
 * Contracts that function libraries and users implement.
 */
package dev.millrace.cql.runtime.function;
