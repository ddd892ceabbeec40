package dev.millrace.command.instance;

/**
 * A port of a domain.
 *
 * @param name   {@code loadgen}, {@code timesync}, {@code netio}, or another name in its files
 * @param number 0 lets the instance choose a port
 */
public record NamedPort(String name, int number)
{
    /** Maximum port number. */
    public static final int MAX = 65_535;

    /** The clock exchange is the only one over UDP. */
    boolean isDatagram()
    {
        return "timesync".equals(name);
    }

    /** Returns a port with an offset; 0 remains 0. */
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
