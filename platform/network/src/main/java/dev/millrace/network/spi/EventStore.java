package dev.millrace.network.spi;

import dev.millrace.network.definition.TimeRange;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The datasets of recorded events of a server. Thread-safe.
 *
 * <p>Failure: {@link EventStoreException} if datasets cannot be read or written.
 */
public interface EventStore
{
    /** Description of valid names of datasets, for messages. */
    String NAMES = "1 to 100 letters, digits, '_', '-' and '.', not beginning with '.'";

    /** Names of datasets are names of directories. */
    Pattern NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}");

    /** Whether a dataset can have a name. */
    static boolean isDataset(final String name)
    {
        return NAME.matcher(name).matches();
    }

    /** Name of the store, which record-parameters and playback-parameters may name as their provider. */
    String name();

    /**
     * Opens a dataset for appending; creates it if it does not exist. One stage at a time records into a dataset. Does
     * not wait for a remote store.
     *
     * @param holder {@code application/stage}, for the message of others
     */
    DatasetLog open(String dataset, String holder);

    /**
     * Opens a reader of a dataset, which may be appended to in the meantime.
     *
     * @param period the reader may skip rows that were recorded at other times
     */
    DatasetRecords openReader(String dataset, TimeRange period);

    /** Names of all datasets, sorted. */
    List<String> datasets();

    /** Describes a dataset; its problem is part of the result. */
    DatasetSummary summary(String dataset);

    /** Deletes a dataset; refused while a stage records into it. */
    void delete(String dataset);
}
