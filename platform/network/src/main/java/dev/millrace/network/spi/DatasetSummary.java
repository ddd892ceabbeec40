package dev.millrace.network.spi;

import java.util.Set;

/**
 * Describes a dataset. Immutable.
 *
 * @param types      event types of the rows that were read
 * @param files      number of files; 0 in a store without files
 * @param bytes      number of their bytes, or -1 if the store does not know it
 * @param rows       number of rows, or -1 if the dataset is too large to count them
 * @param firstNs    when the first rows were recorded; {@link Long#MIN_VALUE} without rows
 * @param lastNs     when the last rows were recorded; {@link Long#MIN_VALUE} without rows, or if they were not read
 * @param tables     names of the tables that contain the rows; empty in a store without tables
 * @param recordedBy who records into it; {@code null} for no stage
 * @param problem    why it cannot be read or written; {@code null} if it can
 */
public record DatasetSummary(Set<String> types, int files, long bytes, long rows, long firstNs, long lastNs,
    Set<String> tables, String recordedBy, String problem)
{
}
