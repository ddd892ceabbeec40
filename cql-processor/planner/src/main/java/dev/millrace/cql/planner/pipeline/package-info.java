/**
 * Translates statements to pipelines, query templates and the statement index.
 */
package dev.millrace.cql.planner.pipeline;
