package dev.millrace.assembly.epn;

import dev.millrace.assembly.xml.Located;
import dev.millrace.network.definition.SourcePosition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A stage as written in an assembly file. Filled by the parser, read afterwards. */
public final class StageDeclaration
{
    /** Elements that make stages. */
    public enum Kind
    {
        /** {@code wlevs:adapter}. */
        ADAPTER("adapter"),
        /** {@code wlevs:event-bean}. */
        EVENT_BEAN("event-bean"),
        /** {@code wlevs:channel}. */
        CHANNEL("channel"),
        /** {@code wlevs:processor}. */
        PROCESSOR("processor"),
        /** A plain Spring bean that was given as a listener. */
        BEAN("bean");

        private final String elementName;

        Kind(final String elementName)
        {
            this.elementName = elementName;
        }

        /**
         * The name of the element.
         *
         * @return local name
         */
        public String elementName()
        {
            return elementName;
        }
    }

    /** Key of the text of {@code expression} in {@link #settings}. */
    public static final String EXPRESSION = "expression";

    private final Kind kind;
    private final String id;
    private final SourcePosition position;
    private final String parentId;
    /** Attributes as written, by name. */
    private final Map<String, Located> settings = new HashMap<>();
    private final List<Link> listeners = new ArrayList<>();
    private final List<Link> sources = new ArrayList<>();
    private final List<Link> cacheSources = new ArrayList<>();
    private final List<Link> tableSources = new ArrayList<>();
    private final List<ObjectDeclaration> functions = new ArrayList<>();
    private final List<ObjectDeclaration> windows = new ArrayList<>();
    private SourcePosition applicationTimestamped;

    StageDeclaration(final Kind kind, final String id, final SourcePosition position, final String parentId)
    {
        this.kind = kind;
        this.id = id;
        this.position = position;
        this.parentId = parentId;
    }

    /**
     * What the stage is.
     *
     * @return kind
     */
    public Kind kind()
    {
        return kind;
    }

    /**
     * The id; made up for nested stages without one.
     *
     * @return unique id
     */
    public String id()
    {
        return id;
    }

    /**
     * Where the element begins.
     *
     * @return place
     */
    public SourcePosition position()
    {
        return position;
    }

    /**
     * The stage that it was written in.
     *
     * @return id, or {@code null} for a stage of the network's own level
     */
    public String parentId()
    {
        return parentId;
    }

    /**
     * An attribute, or a child that holds text.
     *
     * @param name attribute name or {@link #EXPRESSION}
     * @return value and place, or {@code null} when it is not there
     */
    public Located setting(final String name)
    {
        return settings.get(name);
    }

    /**
     * Stages below, as written.
     *
     * @return links in order
     */
    public List<Link> listeners()
    {
        return listeners;
    }

    /**
     * Stages above, as written.
     *
     * @return links in order
     */
    public List<Link> sources()
    {
        return sources;
    }

    /**
     * Caches that the rules of a processor may join.
     *
     * @return links in order
     */
    public List<Link> cacheSources()
    {
        return cacheSources;
    }

    /**
     * Tables that the rules of a processor may join.
     *
     * @return links in order
     */
    public List<Link> tableSources()
    {
        return tableSources;
    }

    /**
     * Functions and aggregates that the rules of a processor may call.
     *
     * @return declarations in order
     */
    public List<ObjectDeclaration> functions()
    {
        return functions;
    }

    /**
     * Windows that the rules of a processor may use.
     *
     * @return declarations in order
     */
    public List<ObjectDeclaration> windows()
    {
        return windows;
    }

    /**
     * The {@code application-timestamped} element of a channel.
     *
     * @return its place, or {@code null} when the channel has system time
     */
    public SourcePosition applicationTimestamped()
    {
        return applicationTimestamped;
    }

    void applicationTimestamped(final SourcePosition where)
    {
        applicationTimestamped = where;
    }

    void setting(final String name, final Located value)
    {
        settings.put(name, value);
    }
}
