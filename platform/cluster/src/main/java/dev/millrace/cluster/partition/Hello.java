package dev.millrace.cluster.partition;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * What a link says of itself.
 *
 * @param application name
 * @param channel     id
 * @param shape       of its rows
 * @param stay        of the sender
 * @param targetStay  of the receiver, as the sender knows it
 * @param link        tells links of one sender apart, also when it connects again
 */
record Hello(String application, String channel, String shape, String stay, String targetStay, long link)
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

    static Hello of(final DataInputStream in) throws IOException
    {
        return new Hello(in.readUTF(), in.readUTF(), in.readUTF(), in.readUTF(), in.readUTF(), in.readLong());
    }
}
