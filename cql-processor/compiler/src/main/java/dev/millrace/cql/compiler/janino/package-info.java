/**
 * Compiles source text to classes, and the interface of the class cache.
 */
package dev.millrace.cql.compiler.janino;
