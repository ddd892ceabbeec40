/**
 * Messages, exceptions, source excerpts and hints.
 */
package dev.millrace.cql.language.problem;
