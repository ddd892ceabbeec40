package dev.millrace.cql.processor.classcache;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.CRC32;

/**
 * The format of a class cache file: a magic number, the key, length and checksum of the body; the body contains the
 * name and bytes of each class. Numbers are big-endian.
 */
final class ClassFileFormat
{
    private static final long MARK = 0x4d52_434c_4153_5331L;
    private static final int HEADER_BYTES = Long.BYTES + ClassKey.BYTES + Integer.BYTES + Long.BYTES;

    private ClassFileFormat()
    {
    }

    static byte[] write(final ClassKey key, final Map<String, byte[]> classFiles) throws IOException
    {
        final ByteArrayOutputStream body = new ByteArrayOutputStream();
        final DataOutputStream out = new DataOutputStream(body);
        out.writeInt(classFiles.size());
        for (final Map.Entry<String, byte[]> file : classFiles.entrySet())
        {
            out.writeUTF(file.getKey());
            out.writeInt(file.getValue().length);
            out.write(file.getValue());
        }
        final byte[] bytes = body.toByteArray();
        return ByteBuffer.allocate(HEADER_BYTES + bytes.length).putLong(MARK).put(key.digest()).putInt(bytes.length)
            .putLong(checksum(bytes)).put(bytes).array();
    }

    /**
     * Parses a file that {@link #write} created.
     *
     * @throws IOException if the file is anything else, incomplete or for another key; the message contains the reason
     */
    static Map<String, byte[]> read(final ClassKey key, final byte[] file) throws IOException
    {
        if (file.length < HEADER_BYTES)
        {
            throw new IOException("too short, bytes=" + file.length);
        }
        final ByteBuffer header = ByteBuffer.wrap(file);
        final byte[] digest = new byte[ClassKey.BYTES];
        if (header.getLong() != MARK)
        {
            throw new IOException("not a class cache file");
        }
        header.get(digest);
        if (!Arrays.equals(digest, key.digest()))
        {
            throw new IOException("of another rule or build");
        }
        final int length = header.getInt();
        final long checksum = header.getLong();
        if (length != header.remaining())
        {
            throw new IOException("incomplete, bytes=" + header.remaining() + " expected=" + length);
        }
        final byte[] body = Arrays.copyOfRange(file, HEADER_BYTES, file.length);
        if (checksum(body) != checksum)
        {
            throw new IOException("checksum differs");
        }
        final DataInputStream in = new DataInputStream(new ByteArrayInputStream(body));
        final Map<String, byte[]> classFiles = new LinkedHashMap<>();
        for (int left = in.readInt(); left > 0; left--)
        {
            final String name = in.readUTF();
            classFiles.put(name, in.readNBytes(in.readInt()));
        }
        return classFiles;
    }

    private static long checksum(final byte[] bytes)
    {
        final CRC32 crc = new CRC32();
        crc.update(bytes);
        return crc.getValue();
    }
}
