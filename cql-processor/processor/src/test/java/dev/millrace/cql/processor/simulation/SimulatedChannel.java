package dev.millrace.cql.processor.simulation;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/** An open file of a {@link SimulatedDisk}, or an open directory. Writes may write less than asked for. */
final class SimulatedChannel extends FileChannel
{
    private final SimulatedDisk disk;
    private final int process;
    private final SimulatedDisk.File file;
    private int position;

    /**
     * @param file {@code null} for a directory
     */
    SimulatedChannel(final SimulatedDisk disk, final int process, final SimulatedDisk.File file)
    {
        this.disk = disk;
        this.process = process;
        this.file = file;
    }

    @Override
    public int read(final ByteBuffer to)
    {
        final int count = Math.min(to.remaining(), file.bytes().length - position);
        if (count <= 0)
        {
            return -1;
        }
        to.put(file.bytes(), position, count);
        position += count;
        return count;
    }

    @Override
    public int write(final ByteBuffer from) throws IOException
    {
        final byte[] bytes = new byte[from.remaining() < 2 ? from.remaining() :
            1 + disk.host().random().nextInt(from.remaining())];
        from.duplicate().get(bytes);
        disk.write(process, file, position, bytes);
        from.position(from.position() + bytes.length);
        position += bytes.length;
        return bytes.length;
    }

    @Override
    public long position()
    {
        return position;
    }

    @Override
    public FileChannel position(final long to)
    {
        position = (int)to;
        return this;
    }

    @Override
    public long size()
    {
        return file.bytes().length;
    }

    @Override
    public void force(final boolean withMetadata)
    {
        if (file == null)
        {
            disk.forceNames(process);
        }
        else
        {
            disk.force(process, file);
        }
    }

    @Override
    protected void implCloseChannel()
    {
        // Nothing is open.
    }

    @Override
    public long read(final ByteBuffer[] to, final int offset, final int length)
    {
        throw SimulatedFiles.unsupported();
    }

    @Override
    public long write(final ByteBuffer[] from, final int offset, final int length)
    {
        throw SimulatedFiles.unsupported();
    }

    @Override
    public FileChannel truncate(final long size)
    {
        throw SimulatedFiles.unsupported();
    }

    @Override
    public long transferTo(final long from, final long count, final WritableByteChannel target)
    {
        throw SimulatedFiles.unsupported();
    }

    @Override
    public long transferFrom(final ReadableByteChannel source, final long from, final long count)
    {
        throw SimulatedFiles.unsupported();
    }

    @Override
    public int read(final ByteBuffer to, final long at)
    {
        throw SimulatedFiles.unsupported();
    }

    @Override
    public int write(final ByteBuffer from, final long at)
    {
        throw SimulatedFiles.unsupported();
    }

    @Override
    public MappedByteBuffer map(final MapMode mode, final long from, final long size)
    {
        throw SimulatedFiles.unsupported();
    }

    @Override
    public FileLock lock(final long from, final long size, final boolean isShared)
    {
        throw SimulatedFiles.unsupported();
    }

    @Override
    public FileLock tryLock(final long from, final long size, final boolean isShared)
    {
        throw SimulatedFiles.unsupported();
    }
}
