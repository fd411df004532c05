#!/bin/sh
# CATALINA_BASE/bin/setenv.sh: catalina.sh reads it before it starts Tomcat.
# Heap for 1,000 connections with the broker elsewhere; docs/performance.md has the measurements.
CATALINA_OPTS="${CATALINA_OPTS:-} -Xmx256m --enable-native-access=ALL-UNNAMED"
# The portable sink gathers frames in this buffer: below 8192 texts leave as fragments.
CATALINA_OPTS="$CATALINA_OPTS -Dorg.apache.tomcat.websocket.DEFAULT_BUFFER_SIZE=8192"
# server.xml and the web application read the same port.
CATALINA_OPTS="$CATALINA_OPTS -Dchatflow.port=${CHATFLOW_PORT:-8080}"
export CATALINA_OPTS
