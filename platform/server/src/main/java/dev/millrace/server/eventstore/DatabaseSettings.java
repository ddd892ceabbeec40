package dev.millrace.server.eventstore;

/**
 * Settings of an event store in a database.
 *
 * @param name        of the store, for provider-name
 * @param tablePrefix of the names of all tables
 * @param batchSize   rows in a transaction, approximately
 * @param bufferBytes maximum number of bytes that are buffered for a dataset
 */
public record DatabaseSettings(String name, String tablePrefix, int batchSize, long bufferBytes)
{
}
