/**
 * Cuts large methods of generated classes: Java refuses a method of more than 64 KiB of code, and never compiles one of
 * more than 8,000 bytes.
 */
package dev.millrace.cql.compiler.cut;
