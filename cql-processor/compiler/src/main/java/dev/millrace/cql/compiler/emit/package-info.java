/**
 * Java text of pipelines: types, scopes, expressions and the analysis of plans.
 */
package dev.millrace.cql.compiler.emit;
