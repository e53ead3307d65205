create database pavilion_sandbox;
