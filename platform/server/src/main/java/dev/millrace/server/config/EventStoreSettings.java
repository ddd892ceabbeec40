package dev.millrace.server.config;

import java.nio.file.Path;

/**
 * The {@code event-store} element: where events are recorded.
 *
 * @param directory    absolute
 * @param maxBytes     maximum size of a dataset
 * @param minFreeBytes free space that is left on the disk
 */
public record EventStoreSettings(String name, Path directory, long maxBytes, long minFreeBytes)
{
}
