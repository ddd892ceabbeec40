package dev.millrace.cql.processor.durable;

import dev.millrace.journal.JournalException;
import dev.millrace.network.spi.ProcessorWiring;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rules to which the stored state of a processor belongs at present.
 *
 * <p>Threads: changed by the thread that starts the processor or changes its rules; any thread reads them.
 */
final class CurrentRules
{
    private static final Logger LOG = LoggerFactory.getLogger(CurrentRules.class);

    private final ProcessorWiring wiring;
    /** {@code null} if nothing is stored. */
    private volatile StoredRules rules;

    /** @param wiring with a storage, from which they are read */
    CurrentRules(final ProcessorWiring wiring)
    {
        this.wiring = wiring;
        rules = StoredRules.read(wiring.storage().rules());
    }

    /** {@code null} if they are not stored. */
    StoredRules get()
    {
        return rules;
    }

    /** Number of the change that led to them; 0 for the first ones. */
    int version()
    {
        final StoredRules now = rules;
        return now == null ? 0 : now.version();
    }

    /** Stores the first rules, unless rules are stored. A failure is logged. */
    void storeFirst(final StoredRules first)
    {
        if (rules == null)
        {
            rules = first;
            try
            {
                first.write(wiring.storage().rules());
            }
            catch (final JournalException failure)
            {
                LOG.warn("the rules cannot be stored with the state, so the next start must have the same ones, " +
                    "processor={}", wiring.qualifiedName(), failure);
            }
        }
    }

    /** A change of the rules is stored. */
    void changed(final StoredRules next)
    {
        rules = next;
    }
}
