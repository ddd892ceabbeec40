package dev.millrace.loadgen;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The rows of a data file as text: one event per line, comma-separated, no header, no quoting. Immutable. */
public final class DataFile
{
    private final Path file;
    private final List<String[]> rows;

    private DataFile(final Path file, final List<String[]> rows)
    {
        this.file = file;
        this.rows = rows;
    }

    /**
     * Reads a data file. Blank lines are skipped; all others must have as many fields as the first.
     *
     * @param file path
     * @return its rows, at least one
     * @throws GeneratorException with file and line of the error
     */
    public static DataFile read(final Path file) throws GeneratorException
    {
        final List<String> lines;
        try
        {
            lines = Files.readAllLines(file, StandardCharsets.UTF_8);
        }
        catch (final IOException ex)
        {
            throw new GeneratorException(GeneratorException.EXIT_SETTINGS, "GEN-0111 data file cannot be read, file=" +
                file + " cause=" + ex + "; correct test.csvDataFile", ex);
        }
        final List<String[]> rows = new ArrayList<>(lines.size());
        for (int i = 0; i < lines.size(); i++)
        {
            final String line = i == 0 && lines.get(0).startsWith("\uFEFF") ? lines.get(0).substring(1) : lines.get(i);
            if (line.isEmpty())
            {
                continue;
            }
            final String[] fields = line.split(",", -1);
            if (!rows.isEmpty() && fields.length != rows.get(0).length)
            {
                throw new GeneratorException(GeneratorException.EXIT_SETTINGS, "GEN-0112 the number of fields differs "
                    + "from that " +
                    "of the first line, file=" + file + " line=" + (i + 1) + " expected=" + rows.get(0).length +
                    " actual=" + fields.length + "; correct the data file");
            }
            rows.add(fields);
        }
        if (rows.isEmpty())
        {
            throw new GeneratorException(GeneratorException.EXIT_SETTINGS,
                "GEN-0113 data file has no rows, file=" + file + "; write one event per line");
        }
        return new DataFile(file, rows);
    }

    /** The path as given. */
    public Path file()
    {
        return file;
    }

    /** Number of rows, at least 1. */
    public int rowCount()
    {
        return rows.size();
    }

    /** Number of columns, at least 1. */
    public int columnCount()
    {
        return rows.get(0).length;
    }

    /**
     * Returns a field.
     *
     * @param row    from 0
     * @param column from 0
     * @return its text
     */
    public String field(final int row, final int column)
    {
        return rows.get(row)[column];
    }

    /**
     * Returns a line.
     *
     * @param row from 0
     * @return its fields, comma-separated
     */
    public String line(final int row)
    {
        return String.join(",", rows.get(row));
    }
}
