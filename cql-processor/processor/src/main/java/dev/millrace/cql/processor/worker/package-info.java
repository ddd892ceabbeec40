/**
 * Worker threads, the rings between them and the routers that choose a worker.
 */
package dev.millrace.cql.processor.worker;
