package dev.millrace.cluster.cache;

import java.util.Collection;
import java.util.Map;

/** Messages between members: a byte for the version of this format, one for the kind, then what the kind needs. */
final class Wire
{
    /** Members of another one do not understand each other, and say so. */
    static final int FORMAT = 1;

    private static final Kind[] KINDS = Kind.values();

    /** What a message is about. */
    enum Kind
    {
        /** To the leader: send me this cache from now on. */
        JOIN,
        /** From the leader: a part of all there is. */
        SNAPSHOT,
        /** From the leader: go on from the version that you have. */
        RESUME,
        /** From the leader: the next commands. */
        BATCH,
        /** To the leader: commands. */
        REQUEST,
        /** To the leader: so far have I come. */
        ACK,
        /** From a new leader: what do you have? */
        STATUS_ASK,
        /** To a new leader: that, and I listen to no earlier one any more. */
        STATUS,
        /** From a new leader: you have come farthest, send it to me. */
        STATE_ASK,
        /** To a new leader: a part of that. */
        STATE
    }

    private Wire()
    {
    }

    static Kind kind(final In in)
    {
        return KINDS[in.one()];
    }

    private static Out begin(final Kind kind, final String cache)
    {
        return new Out().one(FORMAT).one(kind.ordinal()).text(cache);
    }

    static byte[] join(final String cache)
    {
        return begin(Kind.JOIN, cache).bytes();
    }

    static byte[] part(final Kind kind, final String cache, final Parts.Part part)
    {
        final Out out = begin(kind, cache).count(part.version().epoch()).count(part.version().sequence())
            .count(part.index()).count(part.count());
        return out.block(part.bytes()).bytes();
    }

    static byte[] resume(final String cache, final Version from, final Version to)
    {
        final Out out = begin(Kind.RESUME, cache);
        from.write(out);
        to.write(out);
        return out.bytes();
    }

    static byte[] batch(final String cache, final Version version, final Out commands)
    {
        final Out out = begin(Kind.BATCH, cache);
        version.write(out);
        final byte[] bytes = commands.bytes();
        return out.raw(bytes, 0, bytes.length).bytes();
    }

    static byte[] request(final String cache, final Collection<byte[]> commands)
    {
        final Out out = begin(Kind.REQUEST, cache);
        commands.forEach(out::block);
        return out.bytes();
    }

    static byte[] ack(final String cache, final Version version)
    {
        final Out out = begin(Kind.ACK, cache);
        version.write(out);
        return out.bytes();
    }

    static byte[] statusAsk(final long epoch)
    {
        return begin(Kind.STATUS_ASK, "").count(epoch).bytes();
    }

    static byte[] status(final long epoch, final Map<String, Version> versions)
    {
        final Out out = begin(Kind.STATUS, "").count(epoch).count(versions.size());
        versions.forEach((cache, version) -> version.write(out.text(cache)));
        return out.bytes();
    }

    static byte[] stateAsk(final String cache, final long epoch)
    {
        return begin(Kind.STATE_ASK, cache).count(epoch).bytes();
    }

}
