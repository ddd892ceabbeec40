package dev.millrace.network.advertised;

import java.util.List;

/**
 * Withdraws an advertisement. Immutable.
 *
 * @param <T>           what other applications connect with it
 * @param stage         that is advertised
 * @param advertisement of the version of the application
 */
record AdvertisementHandle<T extends Peer>(AdvertisedStage<T> stage, Advertisement advertisement)
{
    /** Its current peers; may change at any time. */
    List<T> peers()
    {
        return stage.peers();
    }
}
