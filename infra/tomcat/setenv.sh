#!/bin/sh
# CATALINA_BASE/bin/setenv.sh: catalina.sh reads it before it starts or stops Tomcat.

# An error prevents a start, because a server without its settings might accept everyone. A stop continues.
refuse() {
  echo "chatflow: $1" >&2
  case $2 in stop | version) ;; *) exit 1 ;; esac
}

# Reads KEY=value lines as they are, without the shell's rules: blanks, $ and & keep their place. Quotes around a whole
# value are taken off, as systemd does for the same file.
read_settings() { # file, verb
  while IFS= read -r line || [ -n "$line" ]; do
    line=${line%"$(printf '\r')"}
    line=${line#export }
    case $line in '' | '#'*) continue ;; esac
    key=${line%%=*}
    value=${line#*=}
    case $key in
      "$line" | '' | [0-9]* | *[!A-Za-z0-9_]*)
        refuse "$1: '$key' does not begin a KEY=value line. Every line is a setting, empty, or a comment after #." "$2"
        continue
        ;;
    esac
    case $value in
      \"*\") value=${value#\"} value=${value%\"} ;;
      \'*\') value=${value#\'} value=${value%\'} ;;
    esac
    export "$key=$value"
  done <"$1"
}

# The server's own settings win over the caller's environment.
if [ -e "$CATALINA_BASE/conf/chatflow.env" ]; then
  [ -r "$CATALINA_BASE/conf/chatflow.env" ] || refuse "$CATALINA_BASE/conf/chatflow.env cannot be read by this user" "${1:-}"
  read_settings "$CATALINA_BASE/conf/chatflow.env" "${1:-}"
fi
case ${CHATFLOW_MAX_CONNECTIONS:-20000} in
  *[!0-9]*)
    refuse "CHATFLOW_MAX_CONNECTIONS is $CHATFLOW_MAX_CONNECTIONS, not a whole number" "${1:-}"
    CHATFLOW_MAX_CONNECTIONS=
    ;;
esac
case ${1:-} in
  start | run | debug | jpda)
    java=java
    [ -z "${JAVA_HOME:-}" ] || java=$JAVA_HOME/bin/java
    [ -z "${JRE_HOME:-}" ] || java=$JRE_HOME/bin/java
    java_version=$("$java" -version 2>&1 | sed -n 's/.*version "\([0-9][0-9]*\).*/\1/p' | head -n 1)
    [ "${java_version:-0}" -ge 25 ] ||
      refuse "needs Java 25 or newer, $java is Java ${java_version:-missing}. Set JAVA_HOME to a Java 25." "$1"
    ;;
esac
# Without a shutdown port Tomcat is stopped by a signal to this process.
CATALINA_PID="${CATALINA_PID:-$CATALINA_BASE/temp/tomcat.pid}"
# Heap for 1,000 connections with the broker elsewhere; docs/lab/performance.md has the measurements.
# Each connection has three buffers for frames. The portable sink gathers texts in one: below 8192 they leave as fragments.
case ${CHATFLOW_SINK:-auto} in portable) frame_buffer=8192 ;; *) frame_buffer=512 ;; esac
case ${CHATFLOW_TLS_CERTIFICATE:-} in '') tls=false ;; *) tls=true ;; esac
# The caller's options come last and win. This collector needs the least memory and is not slower; one of the caller's replaces it.
case ${CATALINA_OPTS:-} in *-XX:+Use*GC*) collector= ;; *) collector='-XX:+UseSerialGC -Xmn16m' ;; esac
# A JVM with an exhausted heap exits with status 3, so that its supervisor restarts it.
# With less inlining the compiler takes a third of the CPU after a start.
# Returns memory that the compilers have freed from the C library to the system.
# server.xml reads CHATFLOW_ADDRESS and others from the environment, as the web application does: no value passes through a command line.
CATALINA_OPTS="-Xmx256m $collector -XX:TrimNativeHeapInterval=5000 -XX:FreqInlineSize=80 -XX:InlineSmallCode=600 -XX:MaxInlineLevel=4 -XX:+UseCompactObjectHeaders -XX:+ExitOnOutOfMemoryError --enable-native-access=ALL-UNNAMED \
-Dorg.apache.tomcat.util.digester.PROPERTY_SOURCE=org.apache.tomcat.util.digester.EnvironmentPropertySource \
-Dorg.apache.tomcat.websocket.DEFAULT_BUFFER_SIZE=$frame_buffer \
-Dtomcat.tls=$tls -Dtomcat.maxConnections=$((${CHATFLOW_MAX_CONNECTIONS:-20000} + 1000)) ${CATALINA_OPTS:-}"
export CATALINA_OPTS CATALINA_PID
