/**
 * The event store in a database: the datasets of recorded events in tables, one for each event type of a dataset.
 *
 * <pre>
 *   network/recording ─► DatasetBuffer ─► RowWriter ─► tables ─► TableReader ─► DatabaseRecords ─► network/recording
 *     records            (bounded)       (own thread)              (a page)      (merges tables)       records
 * </pre>
 *
 * <p>Records have the form of those of journals, {@link dev.millrace.network.durable}; {@code DatasetCatalog} maps
 * groups of rows to tables. Callers: the activator creates the store; networks use it. Threads: each dataset
 * that is recorded has a writer; readers are confined to their callers.
 */
package dev.millrace.server.eventstore;
