package dev.millrace.cluster.partition.link;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * The handshake request of a link.
 *
 * @param application name
 * @param channel     id
 * @param shape       schema of its rows
 * @param stay        incarnation of the sender
 * @param targetStay  incarnation of the receiver, as known to the sender
 * @param link        distinguishes the links of one sender; unchanged when it reconnects
 */
public record HandshakeRequest(String application, String channel, String shape, String stay, String targetStay,
    long link)
{
    byte[] bytes() throws IOException
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        final DataOutputStream out = new DataOutputStream(bytes);
        out.writeUTF(application);
        out.writeUTF(channel);
        out.writeUTF(shape);
        out.writeUTF(stay);
        out.writeUTF(targetStay);
        out.writeLong(link);
        return bytes.toByteArray();
    }

    static HandshakeRequest of(final DataInputStream in) throws IOException
    {
        return new HandshakeRequest(in.readUTF(), in.readUTF(), in.readUTF(), in.readUTF(), in.readUTF(),
            in.readLong());
    }
}
