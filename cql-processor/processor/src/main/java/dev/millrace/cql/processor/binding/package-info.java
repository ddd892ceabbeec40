/**
 * Binds user functions, Java types and lookups to plans.
 */
package dev.millrace.cql.processor.binding;
