/**
 * Replicas of caches and relations that queries look up.
 */
package dev.millrace.cql.processor.relation;
