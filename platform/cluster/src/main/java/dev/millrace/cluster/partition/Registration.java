package dev.millrace.cluster.partition;

import com.google.gson.Gson;
import java.nio.charset.StandardCharsets;

/**
 * The state of one channel that a member publishes to the others. Immutable.
 *
 * @param name     of the server
 * @param memberId id of the member in the cluster
 * @param stay     incarnation of the channel
 * @param host     where its links listen
 * @param port     where its links listen
 * @param shape    schema of the rows; members with different schemas do not exchange rows
 * @param owner    whether it may own partitions; otherwise it only sends
 * @param released it has received the last row of every epoch before this one
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
