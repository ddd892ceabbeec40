package dev.millrace.cluster.partition;

import com.google.gson.Gson;
import java.nio.charset.StandardCharsets;

/**
 * What a member says of one channel to the others. Immutable.
 *
 * @param name     of the server
 * @param memberId of its stay in the cluster
 * @param stay     of the channel
 * @param host     where its links listen
 * @param port     where its links listen
 * @param shape    of the rows; members of another shape do not talk to each other
 * @param owner    whether it is to own partitions; otherwise it sends only
 * @param released it has had the last row of each epoch before this one
 */
record Registration(String name, String memberId, String stay, String host, int port, String shape, boolean owner,
    long released)
{
    private static final Gson GSON = new Gson();

    static Registration of(final byte[] json)
    {
        return GSON.fromJson(new String(json, StandardCharsets.UTF_8), Registration.class);
    }

    byte[] json()
    {
        return GSON.toJson(this).getBytes(StandardCharsets.UTF_8);
    }

    Registration withReleased(final long epoch)
    {
        return new Registration(name, memberId, stay, host, port, shape, owner, epoch);
    }

    Registration withOwner(final boolean toOwn)
    {
        return new Registration(name, memberId, stay, host, port, shape, toOwn, released);
    }
}
