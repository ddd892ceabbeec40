package dev.millrace.command.instance;

/**
 * A port that a domain sets.
 *
 * @param name   {@code loadgen}, {@code timesync}, {@code netio}, or another that its files use
 * @param number port; 0 lets the instance choose one
 */
public record NamedPort(String name, int number)
{
    /** The greatest port there is. */
    public static final int MAX = 65_535;

    /** The clock exchange is the only one over UDP. */
    boolean isDatagram()
    {
        return "timesync".equals(name);
    }

    /**
     * A port a fixed number of steps away.
     *
     * @param offset to add
     * @return the other; 0 stays 0
     */
    NamedPort shifted(final int offset)
    {
        return number == 0 ? this : new NamedPort(name, number + offset);
    }

    @Override
    public String toString()
    {
        return name + '=' + number;
    }
}
