package dev.millrace.cql.processor.simulation;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * The files of a disk, as the process sees them and as they are after a loss of power. Only what was written to the
 * disk by {@link #force} and {@link #forceNames} is certain to be there then: of the rest, any page of a file may be
 * lost, and the last changes of names. A disk may be full, and slow. Confined to one thread.
 */
final class SimulatedDisk
{
    private static final int PAGE_BYTES = 64;

    private final SimulatedHost host;
    private Map<String, File> names = new TreeMap<>();
    private Map<String, File> namesOnDisk = new TreeMap<>();
    /** Changes of names that are not on the disk yet; a {@code null} file is a deletion. */
    private final List<Rename> changes = new ArrayList<>();
    private boolean isFull;
    private long forceNs;

    /** The content of a file. */
    static final class File
    {
        private byte[] bytes = new byte[0];
        private byte[] onDisk = new byte[0];

        byte[] bytes()
        {
            return bytes;
        }

        void damage(final Random random)
        {
            bytes[random.nextInt(bytes.length)] ^= (byte)(1 << random.nextInt(Byte.SIZE));
            onDisk = bytes.clone();
        }

        private void losePower(final Random random)
        {
            final byte[] kept = Arrays.copyOf(onDisk, random.nextBoolean() ? bytes.length : onDisk.length);
            for (int at = 0; at < kept.length; at += PAGE_BYTES)
            {
                if (random.nextBoolean() && at < bytes.length)
                {
                    final int end = Math.min(at + PAGE_BYTES, Math.min(bytes.length, kept.length));
                    System.arraycopy(bytes, at, kept, at, end - at);
                }
            }
            bytes = kept;
            onDisk = kept.clone();
        }
    }

    /** A name that a file got, and one that it lost; either may be {@code null}. Both happen at once. */
    private record Rename(String from, String to, File file)
    {
        void apply(final Map<String, File> to)
        {
            if (from != null)
            {
                to.remove(from);
            }
            if (this.to != null)
            {
                to.put(this.to, file);
            }
        }
    }

    SimulatedDisk(final SimulatedHost host)
    {
        this.host = host;
    }

    SimulatedHost host()
    {
        return host;
    }

    void isFull(final boolean now)
    {
        isFull = now;
    }

    boolean isFull()
    {
        return isFull;
    }

    /** How long it takes to write to the disk. */
    void forceNs(final long ns)
    {
        forceNs = ns;
    }

    /** Time passes while something is written to the disk. */
    void waitForForce()
    {
        host.advance(forceNs);
    }

    private void checkSpace() throws IOException
    {
        if (isFull)
        {
            throw new IOException("No space left on device");
        }
    }

    /** The files whose names begin with a text. */
    Map<String, File> files(final String prefix)
    {
        final Map<String, File> found = new TreeMap<>(names);
        found.keySet().removeIf(name -> !name.startsWith(prefix));
        return found;
    }

    File find(final String name)
    {
        return names.get(name);
    }

    File create(final int process, final String name) throws IOException
    {
        checkSpace();
        host.step(process);
        final File file = new File();
        change(new Rename(null, name, file));
        return file;
    }

    void truncate(final int process, final File file)
    {
        host.step(process);
        file.bytes = new byte[0];
    }

    void write(final int process, final File file, final int at, final byte[] bytes) throws IOException
    {
        checkSpace();
        host.step(process);
        final byte[] longer = Arrays.copyOf(file.bytes, Math.max(file.bytes.length, at + bytes.length));
        System.arraycopy(bytes, 0, longer, at, bytes.length);
        file.bytes = longer;
        host.step(process);
    }

    void force(final int process, final File file)
    {
        host.step(process);
        waitForForce();
        file.onDisk = file.bytes.clone();
        host.step(process);
    }

    void move(final int process, final String from, final String to)
    {
        host.step(process);
        change(new Rename(from, to, names.get(from)));
        host.step(process);
    }

    void delete(final int process, final String name)
    {
        host.step(process);
        change(new Rename(name, null, null));
    }

    /** Writes all names to the disk. */
    void forceNames(final int process)
    {
        host.step(process);
        waitForForce();
        changes.forEach(each -> each.apply(namesOnDisk));
        changes.clear();
        host.step(process);
    }

    private void change(final Rename rename)
    {
        changes.add(rename);
        rename.apply(names);
    }

    /** What remains after a loss of power. */
    void losePower()
    {
        final Random random = host.random();
        final int kept = random.nextInt(changes.size() + 1);
        changes.subList(0, kept).forEach(each -> each.apply(namesOnDisk));
        changes.clear();
        names = new TreeMap<>(namesOnDisk);
        final Map<File, Boolean> seen = new HashMap<>();
        names.values().forEach(file -> seen.computeIfAbsent(file, each ->
        {
            each.losePower(random);
            return true;
        }));
        namesOnDisk = new TreeMap<>(names);
    }
}
