package dev.millrace.cluster.cache;

import java.util.Collection;
import java.util.Map;

/** Message format: a byte for the format version, a byte for the kind, then fields that depend on the kind. */
final class ReplicationProtocol
{
    /** Members with different format versions cannot communicate and report it. */
    static final int FORMAT = 1;

    private static final Kind[] KINDS = Kind.values();

    /** Kind of message. */
    enum Kind
    {
        /** To the leader: send this cache from now on. */
        JOIN,
        /** From the leader: a part of a snapshot. */
        SNAPSHOT,
        /** From the leader: continue from the current version. */
        RESUME,
        /** From the leader: the next commands. */
        BATCH,
        /** To the leader: commands. */
        REQUEST,
        /** To the leader: acknowledged position. */
        ACK,
        /** From a new leader: request for versions. */
        STATUS_ASK,
        /** To a new leader: versions of all caches. The sender ignores earlier leaders from now on. */
        STATUS,
        /** From a new leader, to the member with the highest version: request for its replica. */
        STATE_ASK,
        /** To a new leader: a part of that replica. */
        STATE
    }

    private ReplicationProtocol()
    {
    }

    static Kind kind(final WireReader in)
    {
        return KINDS[in.one()];
    }

    private static WireWriter begin(final Kind kind, final String cache)
    {
        return new WireWriter().one(FORMAT).one(kind.ordinal()).text(cache);
    }

    static byte[] join(final String cache)
    {
        return begin(Kind.JOIN, cache).bytes();
    }

    static byte[] part(final Kind kind, final String cache, final MessageReassembler.Part part)
    {
        final WireWriter out = begin(kind, cache).count(part.version().epoch()).count(part.version().sequence())
            .count(part.index()).count(part.count());
        return out.block(part.bytes()).bytes();
    }

    static byte[] resume(final String cache, final LogPosition from, final LogPosition to)
    {
        final WireWriter out = begin(Kind.RESUME, cache);
        from.write(out);
        to.write(out);
        return out.bytes();
    }

    static byte[] batch(final String cache, final LogPosition version, final WireWriter commands)
    {
        final WireWriter out = begin(Kind.BATCH, cache);
        version.write(out);
        final byte[] bytes = commands.bytes();
        return out.raw(bytes, 0, bytes.length).bytes();
    }

    static byte[] request(final String cache, final Collection<byte[]> commands)
    {
        final WireWriter out = begin(Kind.REQUEST, cache);
        commands.forEach(out::block);
        return out.bytes();
    }

    static byte[] ack(final String cache, final LogPosition version)
    {
        final WireWriter out = begin(Kind.ACK, cache);
        version.write(out);
        return out.bytes();
    }

    static byte[] statusAsk(final long epoch)
    {
        return begin(Kind.STATUS_ASK, "").count(epoch).bytes();
    }

    static byte[] status(final long epoch, final Map<String, LogPosition> versions)
    {
        final WireWriter out = begin(Kind.STATUS, "").count(epoch).count(versions.size());
        versions.forEach((cache, version) -> version.write(out.text(cache)));
        return out.bytes();
    }

    static byte[] stateAsk(final String cache, final long epoch)
    {
        return begin(Kind.STATE_ASK, cache).count(epoch).bytes();
    }

}
