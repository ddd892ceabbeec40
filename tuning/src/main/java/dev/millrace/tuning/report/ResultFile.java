package dev.millrace.tuning.report;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The ratios in a file written by {@code millrace bench engine --json}. Immutable. */
public final class ResultFile
{
    private final Map<String, Double> ratios = new TreeMap<>();
    private final List<String> otherForms = new ArrayList<>();
    private boolean hasShort;
    private String java = "";

    /**
     * Reads a file.
     *
     * @throws IOException when it cannot be read, or a line is not a result
     */
    public ResultFile(final Path file) throws IOException
    {
        int number = 0;
        for (final String line : Files.readAllLines(file, StandardCharsets.UTF_8))
        {
            number++;
            if (!line.isBlank())
            {
                try
                {
                    take(JsonParser.parseString(line).getAsJsonObject());
                }
                catch (final JsonParseException | IllegalStateException | NullPointerException e)
                {
                    throw new IOException("not a line of results: file=" + file + " line=" + number +
                        "; write it with: millrace bench engine --json FILE", e);
                }
            }
        }
    }

    private void take(final JsonObject line)
    {
        final String variant = line.get("variant").getAsString();
        final String name = line.get("workload").getAsString() + (variant.isEmpty() ? "" : ':' + variant);
        final JsonElement ratio = line.get("ratioToLimit");
        if (line.has("form"))
        {
            otherForms.add(name + ' ' + line.get("form").getAsString());
        }
        else if (!ratio.isJsonNull())
        {
            ratios.put(name, ratio.getAsDouble());
        }
        hasShort |= line.has("short");
        java = line.has("java") ? line.get("java").getAsString() : java;
    }

    /** By name or name:variant; without lines that have no ratio. */
    public Map<String, Double> ratios()
    {
        return ratios;
    }

    /** Lines of other batch sizes and similar options, which cannot be compared. */
    public List<String> otherForms()
    {
        return otherForms;
    }

    /** Whether any line is of the short form. */
    public boolean hasShort()
    {
        return hasShort;
    }

    /** The latest version that ran. */
    public String java()
    {
        return java;
    }
}
