/**
 * Splits large methods of generated classes: the JVM refuses a method with more than 64 KiB of bytecode, and never
 * compiles one with more than 8,000 bytes.
 */
package dev.millrace.cql.compiler.split;
