/**
 * One code generator per pipeline operator, with its state layout.
 */
package dev.millrace.cql.compiler.generator;
